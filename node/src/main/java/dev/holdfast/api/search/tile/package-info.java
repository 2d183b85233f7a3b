/// Vector tiles: a search's hits and grid as the layers of a tile of a map.
@NullMarked
package dev.holdfast.api.search.tile;

import org.jspecify.annotations.NullMarked;
