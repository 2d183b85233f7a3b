/// Span queries: terms by their positions. All members of one query are of one field ([SpanClauses]
/// refuses others); a `span_multi` expands its terms within the limit of clauses.
@NullMarked
package dev.holdfast.query.clause.span;

import org.jspecify.annotations.NullMarked;
