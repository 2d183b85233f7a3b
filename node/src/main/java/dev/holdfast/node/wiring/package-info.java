/// The rooms of one cluster, wired ([dev.holdfast.node.wiring.Rooms]): its membership, its tiers
/// and its APIs, over a store, a network and threads that it is given. A process has those of the
/// node, and those of each project.
@NullMarked
package dev.holdfast.node.wiring;

import org.jspecify.annotations.NullMarked;
