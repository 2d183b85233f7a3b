/// Tables for people at a terminal (`/_cat/…`): columns with names, aliases and defaults, sorted
/// and chosen by the request ([CatTable]); each API makes rows from what the JSON APIs show.
@NullMarked
package dev.holdfast.api.cat;

import org.jspecify.annotations.NullMarked;
