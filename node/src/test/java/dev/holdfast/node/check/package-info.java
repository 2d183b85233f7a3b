@NullMarked
package dev.holdfast.node.check;

import org.jspecify.annotations.NullMarked;
