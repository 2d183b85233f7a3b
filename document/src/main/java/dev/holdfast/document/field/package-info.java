/// What field types have in common: reading of parameters, what they know of the index, how values
/// are shown, refusals of queries that they have no answer to. One field type is one file in a
/// package below and one line in `mapping.FieldTypes`; each must pass the field-type contract test.
/// Field types are immutable; the columns that they make are of one thread.
@NullMarked
package dev.holdfast.document.field;

import org.jspecify.annotations.NullMarked;
