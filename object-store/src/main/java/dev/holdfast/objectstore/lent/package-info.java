/// Objects that are read where their bytes lie until a copy of them is there (decision 038). It
/// goes below `count` and `retry`: who reads need not know.
@NullMarked
package dev.holdfast.objectstore.lent;

import org.jspecify.annotations.NullMarked;
