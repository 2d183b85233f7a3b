/// What other rooms test with.
@NullMarked
package dev.holdfast.world;

import org.jspecify.annotations.NullMarked;
