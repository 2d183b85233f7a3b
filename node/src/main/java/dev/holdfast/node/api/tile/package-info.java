/// Vector tiles: a search's hits and grid as the layers of a tile of a map.
@NullMarked
package dev.holdfast.node.api.tile;

import org.jspecify.annotations.NullMarked;
