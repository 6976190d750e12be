// SPDX-License-Identifier: Apache-2.0
/** Bodies of requests come in as YAML or JSON; what they ask for goes out, or all of their mistakes with line and column. */
@NullMarked
package io.redliner.controller.service.web;

import org.jspecify.annotations.NullMarked;
