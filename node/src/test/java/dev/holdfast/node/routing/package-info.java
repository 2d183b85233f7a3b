@NullMarked
package dev.holdfast.node.routing;

import org.jspecify.annotations.NullMarked;
