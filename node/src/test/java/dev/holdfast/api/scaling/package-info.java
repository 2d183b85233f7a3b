/// Tests of what a node tells of its load.
@NullMarked
package dev.holdfast.api.scaling;

import org.jspecify.annotations.NullMarked;
