// SPDX-License-Identifier: Apache-2.0
/**
 * Requests go out over HTTP to instances and to Prometheus servers. Answers are bounded in time and in bytes, and come without a
 * thread that waits. A failure has its reason and says what to do.
 */
@NullMarked
package io.redliner.collector.http;

import org.jspecify.annotations.NullMarked;
