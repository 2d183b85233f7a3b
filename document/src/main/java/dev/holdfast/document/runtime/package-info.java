/// Runtime fields: their values are in the `_source` of documents only, and are read from there
/// when a search first wants them, into columns of a segment that are kept while there is memory.
/// The first search of a segment pays for all of it; columns are shared by threads once made.
@NullMarked
package dev.holdfast.document.runtime;

import org.jspecify.annotations.NullMarked;
