-- The list says Ozel and Kamu; what a public body is asked by is KAMU.
UPDATE taxpayers SET type = replace(replace(upper(type), 'Ö', 'O'), 'ö', 'O') WHERE type GLOB '*[^A-Z]*';
