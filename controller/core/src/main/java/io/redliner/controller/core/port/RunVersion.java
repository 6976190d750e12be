// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

/**
 * The version of a run. It grows with each decision, so a version that stays means that no controller drives the run.
 *
 * @param free true when its controller released it at this version, and no other has taken it since
 */
public record RunVersion(String runId, long version, boolean free) {}
