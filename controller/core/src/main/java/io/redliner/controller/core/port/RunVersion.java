// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

/**
 * A sign of life of a run: its version grows with each decision.
 *
 * @param free whether its driver let it go at this version, and nobody has taken it since
 */
public record RunVersion(String runId, long version, boolean free) {}
