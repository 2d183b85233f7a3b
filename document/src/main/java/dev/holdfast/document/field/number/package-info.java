/// Numbers of every width, scaled and unsigned, and booleans: values, columns, and the queries over
/// points and doc values. A value is rounded or refused when it is read, never when it is searched.
@NullMarked
package dev.holdfast.document.field.number;

import org.jspecify.annotations.NullMarked;
