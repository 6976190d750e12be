// SPDX-License-Identifier: Apache-2.0
/** Reads plans from YAML and JSON, and tells where in the text a mistake is. */
@NullMarked
package io.redliner.controller.plan.yaml;

import org.jspecify.annotations.NullMarked;
