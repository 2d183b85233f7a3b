/// Places: points, shapes, and the notations of points.
@NullMarked
package dev.holdfast.document.field.geo;

import org.jspecify.annotations.NullMarked;
