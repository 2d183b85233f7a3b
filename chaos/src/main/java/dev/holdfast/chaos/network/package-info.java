/// A private network for one run: network namespaces, TUN devices and a packet switch whose faults
/// cut, delay and lose packets by direction. Needs Linux and root; nothing outside the namespace is
/// touched.
@NullMarked
package dev.holdfast.chaos.network;

import org.jspecify.annotations.NullMarked;
