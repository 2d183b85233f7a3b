/// Internet addresses as 16 bytes, of both versions in one order.
@NullMarked
package dev.holdfast.document.field.ip;

import org.jspecify.annotations.NullMarked;
