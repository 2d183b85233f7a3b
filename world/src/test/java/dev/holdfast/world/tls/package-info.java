@NullMarked
package dev.holdfast.world.tls;

import org.jspecify.annotations.NullMarked;
