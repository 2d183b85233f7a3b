/// The `intervals` query: rules about where in a field terms lie, one record a rule, one line in
/// [IntervalRule]. Only fields with positions have it.
@NullMarked
package dev.holdfast.query.clause.interval;

import org.jspecify.annotations.NullMarked;
