/// Field types: one file a kind, one line in [FieldTypes].
@NullMarked
package dev.holdfast.document.field;

import org.jspecify.annotations.NullMarked;
