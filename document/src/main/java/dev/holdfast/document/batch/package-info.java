/// From a document's bytes to columns: the walk along the mapping, and the metadata columns. The
/// hot path of indexing: names are resolved to numbers when first met, values go to primitive
/// arrays, nothing is allocated a value. One thread a batch.
@NullMarked
package dev.holdfast.document.batch;

import org.jspecify.annotations.NullMarked;
