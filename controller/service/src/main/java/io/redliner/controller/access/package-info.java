// SPDX-License-Identifier: Apache-2.0
/** Who may do what, and who did it: sign-in, roles, ownership of services, limits and the audit log. */
@NullMarked
package io.redliner.controller.access;

import org.jspecify.annotations.NullMarked;
