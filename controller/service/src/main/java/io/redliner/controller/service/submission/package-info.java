// SPDX-License-Identifier: Apache-2.0
/**
 * Turns a plan that a user wants to run into a stored run. It resolves the service, the instance and the loads, and refuses
 * with the arithmetic what cannot work. What is accepted goes to {@code execution}.
 */
@NullMarked
package io.redliner.controller.service.submission;

import org.jspecify.annotations.NullMarked;
