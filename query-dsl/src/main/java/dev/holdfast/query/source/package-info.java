/// The stored document and what is read of it: `_source` and its filters, values at a path, values
/// of columns, the objects of a block. Reads one segment at a time, by one thread.
@NullMarked
package dev.holdfast.query.source;

import org.jspecify.annotations.NullMarked;
