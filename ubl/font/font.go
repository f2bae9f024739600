// Package font holds the letters that documents for people are set in: DejaVu Sans
// 2.37, free to embed (LICENSE), cut down to the Latin, Greek and Cyrillic letters,
// punctuation and the signs of currencies, among them the lira's, without hints and
// kerning. Other scripts have no letters here.
package font

import _ "embed" // for the files

//go:embed DejaVuSans.ttf
var regular string

//go:embed DejaVuSans-Bold.ttf
var bold string

// Regular is the TrueType file of the upright letters. It is the caller's own.
func Regular() []byte { return []byte(regular) }

// Bold is the TrueType file of the bold letters. It is the caller's own.
func Bold() []byte { return []byte(bold) }
