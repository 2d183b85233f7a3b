/// From a document's bytes to columns: the walk along the mapping, and the metadata columns.
@NullMarked
package dev.holdfast.document.batch;

import org.jspecify.annotations.NullMarked;
