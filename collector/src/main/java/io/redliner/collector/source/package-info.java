// SPDX-License-Identifier: Apache-2.0
/**
 * Settings and the redirectors' lists of instances come in. Which instances run on this machine is decided here, and
 * each source polls in time with the windows. Measurements go out to the windows, and the state of each
 * source to health.
 */
@NullMarked
package io.redliner.collector.source;

import org.jspecify.annotations.NullMarked;
