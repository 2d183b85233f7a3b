/// What runs on this node on behalf of clients: its registry ([RunningTasks]), cancelling, tasks in
/// the background and their stored results, and the APIs over them. Every request is a task while
/// it runs. Thread-safe.
@NullMarked
package dev.holdfast.api.tasks;

import org.jspecify.annotations.NullMarked;
