/// What `deploy` says to those who run nodes: systemd, Kubernetes.
@NullMarked
package dev.holdfast.node.deploy;

import org.jspecify.annotations.NullMarked;
