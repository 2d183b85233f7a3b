/// What lifecycle policies do with indices: one file an action, each a list of steps that may be
/// done again by whoever leads next. Called by one thread of the leader; what fails is kept with
/// the index and tried again.
@NullMarked
package dev.holdfast.api.ilm.action;

import org.jspecify.annotations.NullMarked;
