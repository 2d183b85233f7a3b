/// What connections that are not encrypted need of TLS: nothing.
@NullMarked
package dev.holdfast.world.tls;

import org.jspecify.annotations.NullMarked;
