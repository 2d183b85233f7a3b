/// Fields whose values are ranges of numbers, dates or addresses, one kind each.
@NullMarked
package dev.holdfast.document.field.range;

import org.jspecify.annotations.NullMarked;
