package diag

// Full is the message for a full disk.
const Full = "there is no space left, on the disk or in your quota, and nothing is changed: free some, and run mrgen again"
