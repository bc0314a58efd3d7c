"""What people type: parsed, completed and explained, without a terminal."""
