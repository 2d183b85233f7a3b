/// Values of fields as aggregations read them: blocks of doc values as numbers, terms by number,
/// filters of terms, and counts told by point trees without a look at documents. Hot code: a column
/// is of one segment and one thread and uses its arrays again.
@NullMarked
package dev.holdfast.query.aggregation.column;

import org.jspecify.annotations.NullMarked;
