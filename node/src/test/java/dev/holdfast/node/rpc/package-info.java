@NullMarked
package dev.holdfast.node.rpc;

import org.jspecify.annotations.NullMarked;
