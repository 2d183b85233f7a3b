@NullMarked
package dev.holdfast.world.text;

import org.jspecify.annotations.NullMarked;
