package auth

// PlanLimit is the requests a minute a plan allows all of a tenant's callers on
// Interface A together, 0 for no limit; false for a plan that does not exist.
func PlanLimit(plan string) (perMinute int, ok bool) {
	switch plan {
	case "standard":
		return 60, true
	case "professional":
		return 200, true
	case "enterprise":
		return 1000, true
	case "unlimited":
		return 0, true
	}
	return 0, false
}
