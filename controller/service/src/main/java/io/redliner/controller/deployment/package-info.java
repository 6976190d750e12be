// SPDX-License-Identifier: Apache-2.0
/** What CI/CD deployed, and which plans that starts. */
@NullMarked
package io.redliner.controller.deployment;

import org.jspecify.annotations.NullMarked;
