/// Tests of objects that are lent.
@NullMarked
package dev.holdfast.objectstore.lent;

import org.jspecify.annotations.NullMarked;
