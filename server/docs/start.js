window.onload = function () {
  window.ui = SwaggerUIBundle({
    urls: [
      { url: "/api/openapi.json", name: "Interface A (/api)" },
      { url: "/api/v1/openapi.json", name: "Interface B (/api/v1)" },
    ],
    dom_id: "#swagger-ui",
    deepLinking: true,
    docExpansion: "none",
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: "StandaloneLayout",
    validatorUrl: null,
  });
};
