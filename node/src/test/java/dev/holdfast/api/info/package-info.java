/// Tests of what the node tells of itself.
@NullMarked
package dev.holdfast.api.info;

import org.jspecify.annotations.NullMarked;
