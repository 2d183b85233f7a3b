/// Queries made of queries: `bool`, `boosting`, `constant_score`, `dis_max`. They bind their
/// members to the same context and add no knowledge of fields.
@NullMarked
package dev.holdfast.query.clause.compound;

import org.jspecify.annotations.NullMarked;
