/// Everything that may differ between two runs (time, chance, names, threads), and the few things
/// that every room shares: errors a client sees, JSON, registries and promises. A room never asks
/// the JDK for these directly (docs/ARCHITECTURE.md).
@NullMarked
package dev.holdfast.world;

import org.jspecify.annotations.NullMarked;
