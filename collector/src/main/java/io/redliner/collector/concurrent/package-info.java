// SPDX-License-Identifier: Apache-2.0
/**
 * Turns to take come in. Each runs on a thread of its own until it is closed, and a turn that fails is remembered for
 * health. Whether the thread lives, and why not, goes out.
 */
@NullMarked
package io.redliner.collector.concurrent;

import org.jspecify.annotations.NullMarked;
