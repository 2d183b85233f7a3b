/// `function_score`: numbers for documents from fields, chance or distance, one file a function,
/// one line in [ScoreFunctions]. A function is bound to an index once and asked document by
/// document, in order, by one thread a segment.
@NullMarked
package dev.holdfast.query.clause.score;

import org.jspecify.annotations.NullMarked;
