/// Texts and the patterns of users that are held against them, in bounded time.
@NullMarked
package dev.holdfast.world.text;

import org.jspecify.annotations.NullMarked;
