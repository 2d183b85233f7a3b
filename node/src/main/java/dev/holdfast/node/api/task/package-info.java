/// What runs on this node on behalf of clients: its registry, its results, and the APIs over both.
@NullMarked
package dev.holdfast.node.api.task;

import org.jspecify.annotations.NullMarked;
