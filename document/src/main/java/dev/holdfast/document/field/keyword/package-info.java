/// Values that are one term: keywords with their normalisers, constants, versions in the order of
/// their numbers.
@NullMarked
package dev.holdfast.document.field.keyword;

import org.jspecify.annotations.NullMarked;
