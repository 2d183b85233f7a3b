/// The body of a search, read and checked: [SearchSource] and its parts. Immutable, shared by all
/// shards of a search on a node; the JSON it came from is kept with it, as that is what travels.
/// `parse.SearchParser` makes it; searches that are made of others (counts, groups, the nearest
/// alone) are derived from it without another reading.
@NullMarked
package dev.holdfast.query.request;

import org.jspecify.annotations.NullMarked;
