// SPDX-License-Identifier: Apache-2.0
/** The published OpenAPI document of the REST API: put together from files, and tested against the running service. */
@NullMarked
package io.redliner.controller.openapi;

import org.jspecify.annotations.NullMarked;
