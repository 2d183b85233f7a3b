/// A write as its client asked for it, how it ended, and the name under which it may be sent again
/// (decision 016). Immutable records; they travel between nodes by `call`.
@NullMarked
package dev.holdfast.indexing.operation;

import org.jspecify.annotations.NullMarked;
