// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import org.jspecify.annotations.Nullable;

/**
 * The instance that was selected for a plan that names none. It is recorded with the reason, and stays the same for the
 * whole run.
 *
 * @param select how, as in the plan
 * @param version that the instance was known to run; absent when unknown
 * @param among how many instances fitted, this one included
 * @param why one sentence for people
 * @param deployment that the run was started by; absent when something else started it
 */
public record SutSelection(String instance, String select, @Nullable String version, int among, String why,
        @Nullable String deployment) {}
